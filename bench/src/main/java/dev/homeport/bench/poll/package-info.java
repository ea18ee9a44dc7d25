/** The poll plane of a real server: beside nginx, under load, at growing sizes of fleet. */
@NullMarked
package dev.homeport.bench.poll;

import org.jspecify.annotations.NullMarked;
