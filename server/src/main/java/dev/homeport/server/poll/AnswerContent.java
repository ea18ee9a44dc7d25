package dev.homeport.server.poll;

import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Answers;
import dev.homeport.fleet.Item;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.WireShape;
import dev.homeport.flux.TypesAnswer;
import dev.homeport.json.StrictJson;
import dev.homeport.observe.GivenAnswer;
import dev.homeport.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a cluster is answered for one type by a snapshot: the digest, and which items Flux would delete if they were left out. */
public sealed interface AnswerContent {
    /** 200. */
    record Served(String digest, GivenAnswer.Items items) implements AnswerContent {}

    /** An error status: the cluster keeps what it has. */
    record Nothing(String why) implements AnswerContent {}

    static AnswerContent of(Snapshot snapshot, Document cluster, String plural, String shape) {
        WireShape wire = WireShape.valueOf(shape.toUpperCase(Locale.ROOT));
        boolean root = plural.equals(TypesAnswer.PLURAL);
        Optional<TypeDefinition> type =
                snapshot.types().withPlural(plural).filter(one -> root || one.part() == TypeDefinition.Part.ITEM);
        if (type.isEmpty()) {
            return new Nothing("there is no type " + plural);
        }
        Answer answer = root ? TypesAnswer.of(snapshot, cluster) : Answers.of(snapshot, cluster, type.get());
        return switch (answer) {
            case Answer.Served served ->
                new Served(
                        Rendering.render(served, wire).digest(),
                        items(served, wire, root ? Types.TYPE : type.get().name()));
            case Answer.Hold hold -> new Nothing(hold.reason());
            case Answer.Detached _ -> new Nothing("it is detached");
        };
    }

    /** Empty when the snapshot gives something else than what has the digest. */
    static Optional<GivenAnswer.Items> items(Snapshot snapshot, LastSeen.Key key, String shape, String digest) {
        Document cluster = snapshot.document(Types.CLUSTER, key.cluster());
        return cluster != null
                        && of(snapshot, cluster, key.type(), shape) instanceof Served served
                        && served.digest().equals(digest)
                ? Optional.of(served.items())
                : Optional.empty();
    }

    private static GivenAnswer.Items items(Answer.Served answer, WireShape shape, String type) {
        List<String> removed = new ArrayList<>();
        List<String> kept = new ArrayList<>();
        for (Item item : answer.items()) {
            if (item.enabled()) {
                (shape == WireShape.SET && isKept(item, type) ? kept : removed).add(item.id());
            }
        }
        return new GivenAnswer.Items(removed, kept);
    }

    /** As the templates have it: these carry {@code prune: disabled}. */
    private static boolean isKept(Item item, String type) {
        return switch (type) {
            case Types.TYPE -> true;
            case Types.PLATFORM_COMPONENT -> item.guarded();
            case Types.NAMESPACE ->
                StrictJson.read(item.setBytes()).path("keep").booleanValue(true);
            default -> false;
        };
    }
}
