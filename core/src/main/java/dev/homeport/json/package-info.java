/**
 * JSON as the log needs it: strict reading ({@link dev.homeport.json.StrictJson}), canonical bytes
 * ({@link dev.homeport.json.CanonicalJson}) and a compact form for memory ({@link dev.homeport.json.Packed}).
 */
@NullMarked
package dev.homeport.json;

import org.jspecify.annotations.NullMarked;
