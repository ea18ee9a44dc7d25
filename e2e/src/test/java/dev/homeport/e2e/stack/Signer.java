package dev.homeport.e2e.stack;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;

/** Signs what is in a registry, in the form that cosign has for it. */
public final class Signer {
    private final KeyPair pair;

    public Signer() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            this.pair = generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What signatures are held against. */
    public String publicKey() {
        return Pem.publicKey(pair.getPublic().getEncoded());
    }

    /** What is signed: the manifest with this digest. */
    static byte[] claim(String repository, String digest) {
        return """
                {"critical":{"identity":{"docker-reference":"%s"},"image":{"docker-manifest-digest":"%s"},\
                "type":"cosign container image signature"},"optional":null}""".formatted(repository, digest).getBytes(StandardCharsets.UTF_8);
    }

    String signatureOf(byte[] claim) {
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(pair.getPrivate());
            signature.update(claim);
            return Base64.getEncoder().encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
