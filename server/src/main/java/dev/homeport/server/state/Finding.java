package dev.homeport.server.state;

import dev.homeport.observe.Source;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A problem that needs attention.
 *
 * @param cluster the cluster it is about, empty if it is about the fleet
 * @param subject what distinguishes it from others of its kind
 * @param next what to do about it
 * @param source from where it is known, if a cluster showed it
 */
public record Finding(
        Kind kind,
        Severity severity,
        String cluster,
        String subject,
        Instant since,
        String detail,
        String next,
        @Nullable Source source) {

    Finding(Kind kind, Severity severity, String cluster, String subject, Instant since, String detail, String next) {
        this(kind, severity, cluster, subject, since, detail, next, null);
    }

    Finding from(Source known) {
        return new Finding(kind, severity, cluster, subject, since, detail, next, known);
    }

    /** How bad it is. */
    public enum Severity {
        ERROR,
        WARNING,
        INFO;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The kind of problem. */
    public enum Kind {
        FAILING,
        HELD,
        BEHIND,
        NOT_APPLIED,
        REMOVING,
        NOT_REPORTING,
        KUBERNETES_VERSION,
        FLUX_VERSION,
        PROBE_FAILED,
        SILENT,
        DRAINED,
        NOT_DRAINED,
        NEAR_LIMIT,
        TWO_ADDRESSES,
        TOKEN_EXPIRES,
        JOIN_TOKEN_REUSED,
        STRANGER,
        UNKNOWN_ANSWER,
        BROKEN_DOCUMENT,
        OBSERVED_STORE,
        CONNECTION_LIMIT_REACHED,
        REQUEST_MEMORY_EXHAUSTED,
        LOOP_FAILING,
        AUDIT_NOT_FORWARDED,
        DEBT_NO_OWNER,
        DEBT_UNPROTECTED,
        DEBT_COMPAT_TOKEN,
        DEBT_PLAIN_HTTP,
        DEBT_UNVERIFIED_DATABASE,
        DEBT_OLD_TOKEN;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Orders findings, and names one in a page token. */
    public String key() {
        return (kind.word() + "/" + subject).replaceAll("[^\\x21-\\x7E]", "-");
    }
}
