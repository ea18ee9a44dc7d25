package dev.homeport.store;

import dev.homeport.change.StoreRefused;
import dev.homeport.json.StrictJson;
import dev.homeport.observe.GivenAnswer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The lines of a backup behind the log's end: the last answer that each cluster was given. An older release stops reading at the
 * end of the log.
 */
public final class BackupAnswers {
    private static final String COUNT = "given_answers";

    private BackupAnswers() {}

    public static void write(Writer out, List<GivenAnswer> answers) throws IOException {
        put(out, StrictJson.object().put(COUNT, answers.size()));
        for (GivenAnswer answer : answers) {
            put(out, line(answer));
        }
    }

    /** Empty for a backup that does not have them. The reader stands behind the end of the log. */
    public static Optional<List<GivenAnswer>> read(BufferedReader in) throws IOException {
        String first = in.readLine();
        if (first == null) {
            return Optional.empty();
        }
        JsonNode count = BackupFile.parse(first).path(COUNT);
        if (!count.isIntegralNumber()) {
            throw new StoreRefused("the backup is damaged: there is something behind the end of the log");
        }
        List<GivenAnswer> answers = new ArrayList<>();
        for (int left = count.intValue(); left > 0; left--) {
            String line = in.readLine();
            if (line == null) {
                throw BackupReader.cutOff();
            }
            answers.add(answer(BackupFile.parse(line)));
        }
        return Optional.of(answers);
    }

    private static ObjectNode line(GivenAnswer answer) {
        ObjectNode line = StrictJson.object()
                .put("cluster", answer.cluster())
                .put("type", answer.type())
                .put("shape", answer.shape())
                .put("digest", answer.digest())
                .put("at", MicroTime.floor(answer.at()))
                .put("begun", MicroTime.floor(answer.begun()));
        answer.items().ifPresent(items -> line.put("items", items.text()));
        ArrayNode earlier = line.putArray("earlier");
        answer.earlier().forEach(earlier::add);
        return line;
    }

    private static GivenAnswer answer(ObjectNode line) {
        return new GivenAnswer(
                BackupReader.need(line, "cluster"),
                BackupReader.need(line, "type"),
                BackupReader.need(line, "shape"),
                BackupReader.need(line, "digest"),
                MicroTime.of(BackupReader.number(line, "at")),
                MicroTime.of(BackupReader.number(line, "begun")),
                Optional.ofNullable(line.get("items"))
                        .map(JsonNode::stringValue)
                        .map(GivenAnswer.Items::parse),
                line.path("earlier")
                        .valueStream()
                        .map(one -> one.stringValue(""))
                        .toList(),
                true);
    }

    private static void put(Writer out, ObjectNode line) throws IOException {
        out.write(line.toString());
        out.write('\n');
    }
}
