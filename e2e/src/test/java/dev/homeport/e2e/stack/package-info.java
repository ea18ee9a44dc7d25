/** What the tests run against: processes on loopback, started here and ended here. Knows nothing of any one test. */
@NullMarked
package dev.homeport.e2e.stack;

import org.jspecify.annotations.NullMarked;
