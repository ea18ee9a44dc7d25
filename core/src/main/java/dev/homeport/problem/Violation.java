package dev.homeport.problem;

/**
 * One thing wrong with a document.
 *
 * @param pointer JSON pointer of the offending value, from the root of the document
 * @param detail what is wrong
 * @param fix what would be right
 */
public record Violation(String pointer, String detail, String fix) {}
