package dev.homeport.document;

import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Secrets that are recognized by their form alone. Each pattern begins with fixed text, so a search takes linear time. */
enum SecretPattern {
    PRIVATE_KEY("a private key", "-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY"),
    ENCODED_PRIVATE_KEY(
            "a private key in base64",
            "LS0tLS1CRUdJTi(BQUklWQVRF|BSU0EgUFJJVkFUR|BFQyBQUklWQVRF|BPUEVOU1NIIFBSSVZBVE|BFTkNSWVBURUQgUFJJVkFUR)"),
    AGE_KEY("an age key", "AGE-SECRET-KEY-1[0-9A-Z]{20}"),
    AWS_KEY("an AWS access key", "(?<![A-Za-z0-9])(AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])"),
    GOOGLE_KEY("a Google API key", "AIza[0-9A-Za-z_-]{35}"),
    GOOGLE_TOKEN("a Google access token", "ya29\\.[0-9A-Za-z_-]{20}"),
    AZURE_KEY("an Azure key", "(AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{30}"),
    AZURE_SAS("an Azure shared access signature", "[?&]sig=[A-Za-z0-9%+/]{30}"),
    AZURE_SECRET("an Azure client secret", "(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"),
    GITHUB_TOKEN("a GitHub token", "gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{22}"),
    GITLAB_TOKEN("a GitLab token", "gl(pat|ptt|dt|rt|cbt|ft|imt|agent|soat)-[A-Za-z0-9_-]{20}"),
    SLACK_TOKEN(
            "a Slack token",
            "xox[abeoprs]-[A-Za-z0-9-]{10}|hooks\\.slack\\.com/services/T[A-Z0-9]{5,20}/B[A-Z0-9]{5,20}/"),
    VAULT_TOKEN("a Vault token", "hv[sbr]\\.[A-Za-z0-9_-]{24}"),
    DOCKER_TOKEN("a Docker token", "dckr_pat_[A-Za-z0-9_-]{20}"),
    NPM_TOKEN("an npm token", "npm_[A-Za-z0-9]{36}"),
    STRIPE_KEY("a Stripe key", "[rs]k_live_[A-Za-z0-9]{16}"),
    JWT("a JWT", "(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}+\\.eyJ[A-Za-z0-9_-]{8,}+\\.[A-Za-z0-9_-]"),
    HOMEPORT_TOKEN("a Homeport token", "(?<![A-Za-z0-9])hp[cjpse]_[a-z0-9-]{1,63}_[A-Za-z0-9_-]{20}");

    private final String what;
    private final Pattern pattern;

    SecretPattern(String what, String regex) {
        this.what = what;
        this.pattern = Pattern.compile(regex);
    }

    static Optional<String> find(String text) {
        return Stream.of(values())
                .filter(secret -> secret.pattern.matcher(text).find())
                .map(secret -> secret.what)
                .findFirst()
                .or(() -> hasUrlPassword(text) ? Optional.of("an address with a password") : Optional.empty());
    }

    /** By hand: a pattern would look ahead from every letter of a long text. */
    private static boolean hasUrlPassword(String text) {
        for (int at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
            int end = at + 3;
            int colon = -1;
            while (end < text.length() && " \t\n/?#@\"'".indexOf(text.charAt(end)) < 0) {
                if (text.charAt(end) == ':' && colon < 0) {
                    colon = end;
                }
                end++;
            }
            boolean userInfo = end < text.length() && text.charAt(end) == '@';
            if (userInfo && colon >= 0 && end - colon > 1 && !isPlaceholder(text.substring(colon + 1, end))) {
                return true;
            }
        }
        return false;
    }

    /** A variable, a template or stars: something will be put there later. */
    static boolean isPlaceholder(String text) {
        return text.startsWith("$")
                || text.contains("{{")
                || text.startsWith("<")
                || text.chars().allMatch(c -> c == '*' || c == 'x' || c == 'X');
    }
}
