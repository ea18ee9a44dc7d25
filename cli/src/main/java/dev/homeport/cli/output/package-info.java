/** How documents are printed. JSON and YAML are the API's objects; tables are for eyes. Start reading at {@code OutputOptions}. */
@NullMarked
package dev.homeport.cli.output;

import org.jspecify.annotations.NullMarked;
