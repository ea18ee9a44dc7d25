package dev.homeport.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a person's browser does at an identity provider: keeps cookies, follows redirects, fills in forms. */
final class WebBrowser {
    private static final Pattern FORM = Pattern.compile("<form[^>]*action=\"([^\"]+)\"", Pattern.DOTALL);
    private static final Pattern HIDDEN =
            Pattern.compile("<input type=\"hidden\"[^>]*name=\"([^\"]+)\"[^>]*value=\"([^\"]*)\"");

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    private final Map<String, String> cookies = new LinkedHashMap<>();
    private final String home;

    /** @param home where it stops: what is elsewhere is not asked for */
    WebBrowser(String home) {
        this.home = home;
    }

    /** A page, or where one is sent to that is not the provider's. */
    record Page(URI at, String text) {
        boolean isForm() {
            return FORM.matcher(text).find();
        }
    }

    Page open(String address) throws IOException, InterruptedException {
        return follow(HttpRequest.newBuilder(URI.create(address)).GET());
    }

    /** Sends the page's form with these fields and the hidden ones. */
    Page submit(Page page, Map<String, String> fields) throws IOException, InterruptedException {
        Matcher form = FORM.matcher(page.text());
        if (!form.find()) {
            throw new AssertionError("there is no form on " + page.at() + ": " + page.text());
        }
        Map<String, String> all = new LinkedHashMap<>();
        Matcher hidden = HIDDEN.matcher(page.text());
        while (hidden.find()) {
            all.put(hidden.group(1), hidden.group(2));
        }
        all.putAll(fields);
        URI action = page.at().resolve(form.group(1).replace("&amp;", "&"));
        return follow(HttpRequest.newBuilder(action)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form(all))));
    }

    static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> URLEncoder.encode(field.getKey(), StandardCharsets.UTF_8) + "="
                        + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    private Page follow(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpRequest.Builder next = request;
        for (int i = 0; i < 10; i++) {
            String all = cookies.entrySet().stream()
                    .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                    .collect(Collectors.joining("; "));
            HttpRequest sent = (all.isEmpty() ? next : next.header("Cookie", all)).build();
            HttpResponse<String> response = http.send(sent, HttpResponse.BodyHandlers.ofString());
            response.headers().allValues("set-cookie").forEach(this::keep);
            if (response.statusCode() / 100 != 3) {
                return new Page(sent.uri(), response.body());
            }
            URI to =
                    sent.uri().resolve(response.headers().firstValue("Location").orElseThrow());
            if (!to.toString().startsWith(home)) {
                return new Page(to, "");
            }
            next = HttpRequest.newBuilder(to).GET();
        }
        throw new AssertionError("this leads nowhere");
    }

    private void keep(String cookie) {
        String pair = cookie.split(";", 2)[0];
        String[] both = pair.split("=", 2);
        if (both[1].isEmpty() || cookie.contains("Max-Age=0")) {
            cookies.remove(both[0]);
        } else {
            cookies.put(both[0], both[1]);
        }
    }
}
