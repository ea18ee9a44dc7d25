package dev.homeport.server.config;

import java.util.List;

/** The server cannot start with its settings; every reason is listed. */
public final class BadSettings extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BadSettings(List<String> reasons) {
        super(String.join("\n", reasons));
    }
}
