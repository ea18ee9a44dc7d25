package dev.homeport.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A list that never ends is noticed. */
class PagesTest {
    private final Pages pages =
            new Pages(new ServerAddress(URI.create("http://x"), Optional.empty(), Optional.empty(), line -> {}));

    private static JsonNode page(String items, String next) {
        return JsonMapper.shared().readTree("{\"items\": " + items + ", \"next_page_token\": \"" + next + "\"}");
    }

    @Test
    void anEmptyPageMayBeFollowedByOthers() {
        assertThat(pages.token()).isEmpty();
        assertThat(pages.goOn(page("[1]", "a"))).isTrue();
        assertThat(pages.token()).isEqualTo("a");
        assertThat(pages.goOn(page("[]", "b"))).isTrue();
        assertThat(pages.goOn(page("[]", "c"))).isTrue();
        assertThat(pages.goOn(page("[2]", ""))).isFalse();
    }

    @Test
    void aTokenThatComesBackIsRefused() {
        pages.goOn(page("[1]", "a"));
        pages.goOn(page("[2]", "b"));
        assertThatThrownBy(() -> pages.goOn(page("[3]", "a"))).isInstanceOf(ServerUnreachable.class);
    }

    @Test
    void aPageThatComesBackIsRefused() {
        pages.goOn(page("[1]", "a"));
        assertThatThrownBy(() -> pages.goOn(page("[1]", "b"))).isInstanceOf(ServerUnreachable.class);
    }
}
