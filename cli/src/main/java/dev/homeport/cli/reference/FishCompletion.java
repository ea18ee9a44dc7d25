package dev.homeport.cli.reference;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A script for fish. */
public final class FishCompletion {
    private FishCompletion() {}

    public static String of(CommandSpec root) {
        StringBuilder script = new StringBuilder("""
                # Completion for homeport. No program of ours is started: names come from the cache that homeport get keeps.
                function __homeport_names
                    set -l cache $XDG_CACHE_HOME
                    test -n "$cache"; or set cache $HOME/.cache
                    test -r $cache/homeport/names/$argv[1]; and cat $cache/homeport/names/$argv[1]
                end
                complete -c homeport -f
                """);
        for (CommandSpec command : CommandPages.all(root)) {
            String words = CommandPages.words(command);
            int space = words.lastIndexOf(' ');
            String parent = space < 0 ? "" : words.substring(0, space);
            script.append("complete -c homeport -n '")
                    .append(parent.isEmpty() ? "__fish_use_subcommand" : "__fish_seen_subcommand_from " + parent)
                    .append("' -a ")
                    .append(command.name())
                    .append(" -d ")
                    .append(quoted(CommandPages.description(command)))
                    .append('\n');
            for (OptionSpec option : CommandPages.options(command)) {
                option(command.name(), option, script);
            }
        }
        names(BashCompletion.OF_CLUSTERS, "clusters", script);
        names(BashCompletion.OF_COMPONENTS, "platform-components", script);
        for (String type : List.of("clusters", "namespaces", "rolebindings", "workspaces", "environments", "freezes")) {
            script.append("complete -c homeport -n '__fish_seen_subcommand_from ")
                    .append(String.join(" ", new TreeSet<>(BashCompletion.OF_TYPES)))
                    .append("; and __fish_seen_subcommand_from ")
                    .append(type)
                    .append(' ')
                    .append(type, 0, type.length() - 1)
                    .append("' -a '(__homeport_names ")
                    .append(type)
                    .append(")'\n");
        }
        script.append("complete -c homeport -n '__fish_seen_subcommand_from ")
                .append(String.join(" ", new TreeSet<>(BashCompletion.OF_TYPES)))
                .append("' -a '")
                .append(BashCompletion.TYPES)
                .append("'\n");
        return script.toString();
    }

    private static void names(Set<String> commands, String cache, StringBuilder script) {
        script.append("complete -c homeport -n '__fish_seen_subcommand_from ")
                .append(String.join(" ", new TreeSet<>(commands)))
                .append("' -a '(__homeport_names ")
                .append(cache)
                .append(")'\n");
    }

    private static void option(String command, OptionSpec option, StringBuilder script) {
        script.append("complete -c homeport -n '__fish_seen_subcommand_from ")
                .append(command)
                .append('\'');
        for (String name : option.names()) {
            script.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        if (!option.typeInfo().isBoolean()) {
            script.append(" -r");
        }
        if (List.of(option.names()).contains("--file")) {
            script.append(" -F");
        }
        script.append(" -d ")
                .append(quoted(String.join(" ", option.description())))
                .append('\n');
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
