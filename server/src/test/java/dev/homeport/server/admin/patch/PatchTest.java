package dev.homeport.server.admin.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class PatchTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1} | {\"b\":2} | {\"a\":1,\"b\":2}",
                "{\"a\":{\"b\":1,\"c\":2}} | {\"a\":{\"b\":null}} | {\"a\":{\"c\":2}}",
                "{\"a\":[1,2]} | {\"a\":[3]} | {\"a\":[3]}",
                "{} | {\"a\":{\"b\":null,\"c\":1}} | {\"a\":{\"c\":1}}",
                "{\"a\":1} | {\"a\":{\"b\":1}} | {\"a\":{\"b\":1}}",
            })
    void aMergePatchIsAsInRfc7396(String target, String patch, String expected) {
        ObjectNode before = StrictJson.read(target);
        assertThat(MergePatch.apply(before, StrictJson.read(patch))).isEqualTo(StrictJson.read(expected));
        assertThat(KeyedMerge.apply(before, StrictJson.read(patch))).isEqualTo(StrictJson.read(expected));
        assertThat(before).isEqualTo(StrictJson.read(target));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"l\":[{\"id\":\"a\",\"x\":1}]} | {\"l\":[{\"id\":\"b\"}]} | {\"l\":[{\"id\":\"a\",\"x\":1},{\"id\":\"b\"}]}",
                "{\"l\":[{\"id\":\"a\",\"x\":1,\"y\":2}]} | {\"l\":[{\"id\":\"a\",\"x\":3,\"y\":null}]} | {\"l\":[{\"id\":\"a\",\"x\":3}]}",
                "{\"l\":[{\"id\":\"a\"},{\"id\":\"b\"}]} | {\"l\":[{\"id\":\"a\",\"$remove\":true}]} | {\"l\":[{\"id\":\"b\"}]}",
                "{} | {\"l\":[{\"id\":\"a\",\"$remove\":true}]} | {}",
                "{\"l\":[{\"id\":\"a\"}]} | {\"l\":[{\"id\":\"a\",\"$remove\":true}]} | {\"l\":[]}",
                "{} | {\"l\":[]} | {\"l\":[]}",
                "{} | {\"l\":[{\"id\":\"a\",\"x\":null}]} | {\"l\":[{\"id\":\"a\"}]}",
                "{\"l\":[1]} | {\"l\":[{\"id\":\"a\"}]} | {\"l\":[{\"id\":\"a\"}]}",
            })
    void aKeyedMergeMergesListsById(String target, String patch, String expected) {
        assertThat(KeyedMerge.apply(StrictJson.read(target), StrictJson.read(patch)))
                .isEqualTo(StrictJson.read(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":[1,3]} | [{\"op\":\"add\",\"path\":\"/a/1\",\"value\":2}] | {\"a\":[1,2,3]}",
                "{\"a\":[1]} | [{\"op\":\"add\",\"path\":\"/a/-\",\"value\":2}] | {\"a\":[1,2]}",
                "{\"a\":[1,2]} | [{\"op\":\"remove\",\"path\":\"/a/0\"}] | {\"a\":[2]}",
                "{\"a\":[1,2]} | [{\"op\":\"replace\",\"path\":\"/a/1\",\"value\":9}] | {\"a\":[1,9]}",
                "{\"a/b\":1,\"c~d\":2} | [{\"op\":\"move\",\"from\":\"/a~1b\",\"path\":\"/c~0d\"}] | {\"c~d\":1}",
                "{\"a\":{\"b\":1}} | [{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/c\"}] | {\"a\":{\"b\":1},\"c\":{\"b\":1}}",
                "{\"a\":1} | [{\"op\":\"add\",\"path\":\"\",\"value\":{\"z\":0}}] | {\"z\":0}",
                "{\"a\":null} | [{\"op\":\"test\",\"path\":\"/a\",\"value\":null}] | {\"a\":null}",
            })
    void aJsonPatchIsAsInRfc6902(String target, String patch, String expected) {
        assertThat(JsonPatch.apply(StrictJson.read(target), steps(patch))).isEqualTo(StrictJson.read(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | [{\"op\":\"remove\",\"path\":\"/a\"}]",
                "{} | [{\"op\":\"replace\",\"path\":\"/a\",\"value\":1}]",
                "{} | [{\"op\":\"add\",\"path\":\"/a/b\",\"value\":1}]",
                "{\"a\":[]} | [{\"op\":\"add\",\"path\":\"/a/1\",\"value\":1}]",
                "{\"a\":[1]} | [{\"op\":\"remove\",\"path\":\"/a/01\"}]",
                "{\"a\":[1]} | [{\"op\":\"remove\",\"path\":\"/a/-\"}]",
                "{\"a\":{}} | [{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/a/b\"}]",
                "{\"a\":1} | [{\"op\":\"test\",\"path\":\"/a\",\"value\":2}]",
                "{\"a\":1} | [{\"op\":\"add\",\"path\":\"a\",\"value\":2}]",
                "{\"a\":1} | [{\"op\":\"add\",\"path\":\"/a~2\",\"value\":2}]",
                "{\"a\":1} | [{\"op\":\"add\",\"path\":\"/a\"}]",
                "{\"a\":1} | [{\"op\":\"remove\",\"path\":\"\"}]",
                "{\"a\":1} | [{\"path\":\"/a\"}]",
                "{\"a\":1} | [7]",
            })
    void aJsonPatchThatDoesNotFitIsRefused(String target, String patch) {
        assertThatThrownBy(() -> JsonPatch.apply(StrictJson.read(target), steps(patch)))
                .isInstanceOf(ProblemException.class);
    }

    private static ArrayNode steps(String json) {
        return (ArrayNode) StrictJson.read("{\"steps\":" + json + "}").get("steps");
    }
}
