package dev.homeport.server.signin;

import java.security.Key;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.VerificationJwkSelector;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.NumericDate;
import org.jose4j.jwt.consumer.ErrorCodes;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumer;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.jose4j.jwx.JsonWebStructure;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/**
 * Whether a signed token is what it says. Everything about how to check it comes from the settings and from the issuer, and
 * nothing from the token itself but which of the issuer's keys was used.
 */
final class JwtCheck {
    private static final String[] SIGNATURES = {
        AlgorithmIdentifiers.RSA_USING_SHA256,
        AlgorithmIdentifiers.RSA_PSS_USING_SHA256,
        AlgorithmIdentifiers.ECDSA_USING_P256_CURVE_AND_SHA256,
        AlgorithmIdentifiers.EDDSA
    };
    private static final Set<String> TYPES = Set.of("", "jwt", "at+jwt", "application/at+jwt");
    private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");
    private static final int LONGEST = 12 * 1024;
    private static final int SKEW_SECONDS = 30;

    /** A token that cannot be revoked must not last long. */
    private static final int LONGEST_LIFE_MINUTES = 24 * 60;

    private final InstantSource clock;

    JwtCheck(InstantSource clock) {
        this.clock = clock;
    }

    /** The token is invalid; the message says why and repeats nothing of it. */
    static final class BadToken extends Exception {
        private static final long serialVersionUID = 1L;

        BadToken(String message) {
            super(message);
        }
    }

    /** A token that was read, and not believed yet. */
    record Unproven(String text, JsonWebSignature signature, String issuer) {}

    Unproven read(String text) throws BadToken {
        if (text.length() > LONGEST || !SHAPE.matcher(text).matches()) {
            throw new BadToken("it is not a signed token");
        }
        try {
            if (!(JsonWebStructure.fromCompactSerialization(text) instanceof JsonWebSignature signature)) {
                throw new BadToken("it is not a signed token");
            }
            if (!List.of(SIGNATURES).contains(signature.getAlgorithmHeaderValue())) {
                throw new BadToken("it is not signed with RS256, PS256, ES256 or EdDSA");
            }
            String type = header(signature, "typ").toLowerCase(java.util.Locale.ROOT);
            boolean special = signature.getHeaders().getObjectHeaderValue("crit") != null
                    || signature.getHeaders().getObjectHeaderValue("cty") != null;
            if (!TYPES.contains(type) || special) {
                throw new BadToken("it is a token of another kind");
            }
            String issuer = JwtClaims.parse(signature.getUnverifiedPayload()).getIssuer();
            return new Unproven(text, signature, issuer == null ? "" : issuer);
        } catch (JoseException | InvalidJwtException | MalformedClaimException e) {
            throw new BadToken("it cannot be read");
        }
    }

    /** What the token says, when it is the issuer's, meant for this audience, and now. */
    JwtClaims proven(Unproven token, Provider provider, String audience) throws BadToken {
        JwtConsumer consumer = new JwtConsumerBuilder()
                .setJwsAlgorithmConstraints(new AlgorithmConstraints(ConstraintType.PERMIT, SIGNATURES))
                .setVerificationKey(key(token.signature(), provider))
                .setExpectedIssuer(true, provider.issuer().name())
                .setExpectedAudience(true, audience)
                .setRequireSubject()
                .setRequireExpirationTime()
                .setRequireIssuedAt()
                .setAllowedClockSkewInSeconds(SKEW_SECONDS)
                .setIssuedAtRestrictions(0, LONGEST_LIFE_MINUTES * 60)
                .setMaxFutureValidityInMinutes(LONGEST_LIFE_MINUTES)
                .setEvaluationTime(NumericDate.fromMilliseconds(clock.millis()))
                .build();
        try {
            return consumer.processToClaims(token.text());
        } catch (InvalidJwtException e) {
            throw new BadToken(reason(e));
        }
    }

    private static Key key(JsonWebSignature signature, Provider provider) throws BadToken {
        JsonWebKey key = select(signature, provider.known());
        if (key == null) {
            key = select(signature, provider.newest());
        }
        if (key == null) {
            throw new BadToken("it is signed with a key that its issuer does not publish");
        }
        return key.getKey();
    }

    private static @Nullable JsonWebKey select(JsonWebSignature signature, Provider.Known known) throws BadToken {
        try {
            return new VerificationJwkSelector().select(signature, known.keys());
        } catch (JoseException e) {
            throw new BadToken("it cannot be read");
        }
    }

    private static String header(JsonWebSignature signature, String name) {
        Object value = signature.getHeaders().getObjectHeaderValue(name);
        return value == null ? "" : value.toString();
    }

    private static String reason(InvalidJwtException e) {
        if (e.hasExpired()) {
            return "it has expired";
        }
        if (e.hasErrorCode(ErrorCodes.AUDIENCE_INVALID) || e.hasErrorCode(ErrorCodes.AUDIENCE_MISSING)) {
            return "it is not meant for this server: its audience is another";
        }
        if (e.hasErrorCode(ErrorCodes.SIGNATURE_INVALID)) {
            return "its signature is wrong";
        }
        if (e.hasErrorCode(ErrorCodes.NOT_YET_VALID) || e.hasErrorCode(ErrorCodes.ISSUED_AT_INVALID_FUTURE)) {
            return "it is not valid yet";
        }
        if (e.hasErrorCode(ErrorCodes.EXPIRATION_TOO_FAR_IN_FUTURE)) {
            return "it lasts longer than a day";
        }
        return "it is not complete, or not its issuer's";
    }
}
