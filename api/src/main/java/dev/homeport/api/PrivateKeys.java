package dev.homeport.api;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;

/** Reads private keys in the forms that openssl writes: PKCS#8, and the older ones of RSA (PKCS#1) and EC (SEC 1). */
final class PrivateKeys {
    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final byte[] VERSION = {0x02, 0x01, 0x00};

    private PrivateKeys() {}

    /**
     * @param shown the public key that it should belong to
     * @throws InvalidKeyException when it is a key of another kind
     */
    static PrivateKey read(PemBlock block, PublicKey shown) throws GeneralSecurityException {
        byte[] content = block.content();
        String kind = shown.getAlgorithm();
        byte[] encoded = switch (block.label()) {
            case "PRIVATE KEY" -> content;
            case "RSA PRIVATE KEY", "EC PRIVATE KEY" -> {
                if (!block.label().startsWith(kind + " ")) {
                    throw new InvalidKeyException("the certificate's key is of the kind " + kind);
                }
                yield pkcs8(content, algorithm(shown.getEncoded()));
            }
            default -> throw new GeneralSecurityException("unknown form BEGIN " + block.label());
        };
        try {
            return KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            for (String other : new String[] {"EC", "RSA", "Ed25519", "Ed448"}) {
                if (isOf(other, encoded)) {
                    throw new InvalidKeyException("the key is of the kind " + other + ", not " + kind, e);
                }
            }
            throw e;
        }
    }

    private static boolean isOf(String kind, byte[] encoded) {
        try {
            KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(encoded));
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** The older forms are what PKCS#8 wraps, and the certificate's public key says which algorithm and curve. */
    private static byte[] pkcs8(byte[] older, byte[] algorithm) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(VERSION);
        all.writeBytes(algorithm);
        all.writeBytes(der(OCTETS, older));
        return der(SEQUENCE, all.toByteArray());
    }

    /** The first element in the sequence that a public key is. */
    private static byte[] algorithm(byte[] publicKey) {
        int start = contentAt(publicKey, 0);
        return Arrays.copyOfRange(publicKey, start, contentAt(publicKey, start) + length(publicKey, start));
    }

    private static int contentAt(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
    }

    private static int length(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = at + 2; i < contentAt(der, at); i++) {
            length = length << 8 | der[i] & 0xff;
        }
        return length;
    }

    private static byte[] der(int tag, byte[] content) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(tag);
        if (content.length < 0x80) {
            all.write(content.length);
        } else {
            int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(content.length) + 7) / 8;
            all.write(0x80 | bytes);
            for (int i = bytes - 1; i >= 0; i--) {
                all.write(content.length >>> (8 * i));
            }
        }
        all.writeBytes(content);
        return all.toByteArray();
    }
}
