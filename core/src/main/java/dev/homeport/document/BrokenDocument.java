package dev.homeport.document;

/** A document that cannot be read was needed. The resolver turns it into a hold for the clusters concerned. */
public final class BrokenDocument extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BrokenDocument(DocumentKey key, String fault) {
        super(key + " cannot be read: " + fault);
    }
}
