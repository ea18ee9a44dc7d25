package dev.homeport.access;

/**
 * Why a caller may not do something.
 *
 * @param role the smallest role that would allow it, empty when none does
 * @param where the scope in which the role is needed
 */
public record Refusal(String reason, String role, String where) {
    /** What to do about it. */
    public String next() {
        return role.isEmpty() ? "no role allows this" : "ask for the role " + role + " in " + where;
    }
}
