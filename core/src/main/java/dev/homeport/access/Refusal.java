package dev.homeport.access;

/**
 * Why somebody may not do something.
 *
 * @param role the smallest role that would allow it, empty when none does
 * @param where where he would have to hold it
 */
public record Refusal(String reason, String role, String where) {
    /** What to do about it. */
    public String next() {
        return role.isEmpty() ? "it is not for anybody to do" : "ask for the role " + role + " in " + where;
    }
}
