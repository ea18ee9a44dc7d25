package dev.homeport.document;

/** The permanent name of a document: its type (snake_case, singular) and its id. */
public record DocumentKey(String type, String id) implements Comparable<DocumentKey> {
    @Override
    public int compareTo(DocumentKey other) {
        int byType = type.compareTo(other.type);
        return byType != 0 ? byType : id.compareTo(other.id);
    }

    @Override
    public String toString() {
        return type + "/" + id;
    }
}
