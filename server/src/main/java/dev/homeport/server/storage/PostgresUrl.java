package dev.homeport.server.storage;

import dev.homeport.server.config.BadSettings;
import dev.homeport.store.PostgresSettings;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/** The form in which everybody writes a PostgreSQL address, turned into the driver's. */
final class PostgresUrl {
    private PostgresUrl() {}

    static PostgresSettings settings(String url) {
        try {
            URI uri = new URI(url);
            String[] user = uri.getUserInfo() == null
                    ? new String[] {"postgres"}
                    : uri.getUserInfo().split(":", 2);
            String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
            String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
            return new PostgresSettings(
                    "jdbc:postgresql://" + uri.getHost() + port + uri.getPath() + query,
                    user[0],
                    user.length > 1 ? user[1] : "");
        } catch (URISyntaxException e) {
            throw new BadSettings(List.of("database_url is not a URL: postgresql://user:password@host:port/database"));
        }
    }
}
