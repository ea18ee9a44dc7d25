/** Whether concurrent writers see one order of things. */
package dev.homeport.server.linear;
