package dev.homeport.cli.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A script for fish: the same commands, options and cached names as {@link BashCompletion}, with what they mean. */
public final class FishCompletion {
    private FishCompletion() {}

    public static String of(CommandSpec root) {
        List<CommandSpec> commands = CommandPages.all(root);
        StringBuilder script = new StringBuilder("""
                # Completion for homeport. No program of ours is started: names come from the cache that homeport get keeps.
                function __homeport_names
                    set -l kind
                    switch $argv[1]
                        case cl cluster clusters
                            set kind clusters
                        case co component components platform-component platform_component
                            set kind platform-components
                        case ns namespace
                            set kind namespaces
                        case rb rolebinding
                            set kind rolebindings
                        case ws workspace
                            set kind workspaces
                        case ct template templates cluster-template cluster_template
                            set kind cluster-templates
                        case env envs environment
                            set kind environments
                        case freeze token type
                            set kind $argv[1]s
                        case '*/*' '.*'
                            return
                        case '*'
                            set kind $argv[1]
                    end
                    set -l cache $XDG_CACHE_HOME
                    test -n "$cache"; or set cache $HOME/.cache
                    test -r $cache/homeport/names/$kind; or return
                    while read -l name
                        echo "$argv[2]$name"
                    end <$cache/homeport/names/$kind
                end
                # The command's words in the first line, the first word behind them in the second.
                function __homeport_typed
                    set -l command ''
                    set -l first ''
                    set -l value no
                    for word in (commandline -opc)[2..-1]
                        if test $value = yes
                            set value no
                """);
        script.append("        else if contains -- $word ")
                .append(String.join(" ", BashCompletion.withValue(commands)))
                .append("\n            set value yes\n");
        script.append("        else if string match -q -- '-*' $word\n            continue\n");
        script.append("        else if contains -- (string trim -- \"$command $word\") ")
                .append(String.join(
                        " ",
                        commands.stream()
                                .map(command -> quoted(CommandPages.words(command)))
                                .toList()))
                .append("\n            set command (string trim -- \"$command $word\")\n");
        script.append("""
                        else if test -z "$first"
                            set first $word
                        end
                    end
                    echo $command
                    echo $first
                end
                function __homeport_in
                    test (__homeport_typed)[1] = "$argv[1]"
                end
                # What may stand behind a command.
                function __homeport_arguments
                    set -l typed (__homeport_typed)
                    set -l current (commandline -ct)
                    switch $typed[1]
                """);
        script.append("        case ")
                .append(alternatives(BashCompletion.OF_TYPES))
                .append('\n');
        script.append("""
                            if string match -q -- '*/*' $current
                                set -l type (string split -m 1 / -- $current)[1]
                                __homeport_names $type $type/
                            else if test -n "$typed[2]"
                                __homeport_names $typed[2]
                            else
                """);
        script.append("                string split ' ' -- '")
                .append(BashCompletion.TYPES)
                .append("'\n            end\n");
        script.append("        case ")
                .append(alternatives(BashCompletion.OF_CLUSTERS))
                .append("\n            __homeport_names clusters\n");
        script.append("        case ")
                .append(alternatives(BashCompletion.OF_COMPONENTS))
                .append("\n            __homeport_names components\n");
        script.append("        case completion\n            string split ' ' -- 'bash zsh fish names'\n");
        script.append("    end\nend\n");
        script.append("complete -c homeport -e\ncomplete -c homeport -f -a '(__homeport_arguments)'\n");
        for (CommandSpec command : commands) {
            String words = CommandPages.words(command);
            int space = words.lastIndexOf(' ');
            script.append("complete -c homeport -n \"__homeport_in '")
                    .append(space < 0 ? "" : words.substring(0, space))
                    .append("'\" -a ")
                    .append(command.name())
                    .append(" -d ")
                    .append(quoted(CommandPages.description(command)))
                    .append('\n');
            CommandPages.options(command).forEach(option -> option(words, option, script));
        }
        return script.toString();
    }

    private static String alternatives(Set<String> names) {
        return String.join(" ", new TreeSet<>(names));
    }

    private static void option(String command, OptionSpec option, StringBuilder script) {
        script.append("complete -c homeport -n \"__homeport_in '")
                .append(command)
                .append("'\"");
        List<String> names = new ArrayList<>(List.of(option.names()));
        for (String name : names) {
            script.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        if (BashCompletion.takesValue(option)) {
            script.append(values(names));
        }
        script.append(" -d ")
                .append(quoted(String.join(" ", option.description())))
                .append('\n');
    }

    private static String values(List<String> names) {
        if (names.stream().anyMatch(BashCompletion.FILES::contains)) {
            return " -r -F";
        }
        return " -x"
                + names.stream()
                        .filter(BashCompletion.VALUES::containsKey)
                        .map(name -> " -a '(__homeport_names " + BashCompletion.VALUES.get(name) + ")'")
                        .findFirst()
                        .orElse(names.contains("--output") ? " -a '" + BashCompletion.FORMS + "'" : "");
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
