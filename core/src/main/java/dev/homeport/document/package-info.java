/**
 * Types, keys, documents and their schemas. A document is immutable; its type is data. Start reading at
 * {@link dev.homeport.document.Document} and {@link dev.homeport.document.TypeCatalog}.
 */
@NullMarked
package dev.homeport.document;

import org.jspecify.annotations.NullMarked;
