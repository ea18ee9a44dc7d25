package dev.homeport.cli.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A script for bash, and by its compatibility for zsh: commands and options are in it, names are read from a cache. */
public final class BashCompletion {
    /** Commands whose words are a type and names. */
    static final Set<String> OF_TYPES =
            Set.of("get", "describe", "edit", "patch", "label", "delete", "history", "restore", "types");

    static final Set<String> OF_CLUSTERS = Set.of(
            "explain",
            "payload",
            "delivery",
            "compare",
            "clone",
            "pause",
            "resume",
            "decommission",
            "undelete",
            "detach",
            "purge",
            "repair",
            "bootstrap");

    static final Set<String> OF_COMPONENTS = Set.of("assign", "unassign", "pin", "unpin", "hotfix", "promote");

    static final String TYPES = "clusters components namespaces rolebindings workspaces templates environments"
            + " freezes tokens probes types settings access-roles access-grants changes";

    static final String FORMS = "table wide name json yaml jsonl csv md";

    /** Options whose value is a file. */
    static final Set<String> FILES = new TreeSet<>(Set.of(
            "-f", "--file", "--ca", "--certificate-authority", "--client-key", "--values", "--into", "--token-file"));

    /** Options whose value is the name of something. */
    static final Map<String, String> VALUES = new TreeMap<>(Map.of(
            "--env", "environments",
            "--environment", "environments",
            "--from", "environments",
            "-W", "workspaces",
            "--workspace", "workspaces",
            "--template", "cluster-templates",
            "--cluster", "clusters"));

    private BashCompletion() {}

    public static String of(CommandSpec root) {
        List<CommandSpec> commands = CommandPages.all(root);
        StringBuilder script = new StringBuilder("""
                # Completion for homeport. No program is started: names come from the cache that homeport get keeps.
                __homeport_names() {
                  local kind
                  case "$1" in
                    cluster | clusters | cl) kind=clusters ;;
                    co | component | components | platform-component | platform_component) kind=platform-components ;;
                    ns | namespace) kind=namespaces ;;
                    rb | rolebinding) kind=rolebindings ;;
                    ws | workspace) kind=workspaces ;;
                    ct | template | templates | cluster-template | cluster_template) kind=cluster-templates ;;
                    env | envs | environment) kind=environments ;;
                    freeze | token | type) kind="$1s" ;;
                    */* | .*) return ;;
                    *) kind="$1" ;;
                  esac
                  local file="${XDG_CACHE_HOME:-$HOME/.cache}/homeport/names/$kind" line
                  [ -r "$file" ] || return
                  while IFS= read -r line; do
                    case "$line" in "$2"*) echo "$3$line" ;; esac
                  done < "$file"
                }
                __homeport_reply() {
                  local IFS=$'\\n'
                  COMPREPLY=($(__homeport_names "$1" "$2" "$3"))
                }
                __homeport() {
                  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"
                  local command="" first="" word i
                  for ((i = 1; i < COMP_CWORD; i++)); do
                    word="${COMP_WORDS[i]}"
                    case "$word" in
                """);
        script.append("      ").append(String.join(" | ", withValue(commands))).append(") i=$((i + 1)); continue ;;\n");
        script.append("""
                      -*) continue ;;
                    esac
                    case "${command:+$command }$word" in
                """);
        script.append("      ")
                .append(String.join(
                        " | ",
                        commands.stream()
                                .map(command -> "\"" + CommandPages.words(command) + "\"")
                                .toList()))
                .append(") command=\"${command:+$command }$word\" ;;\n");
        script.append("""
                      *) [ -n "$first" ] || first="$word" ;;
                    esac
                  done
                  case "$prev" in
                """);
        script.append("    -o | --output) COMPREPLY=($(compgen -W \"")
                .append(FORMS)
                .append("\" -- \"$cur\")); return ;;\n");
        script.append("    ")
                .append(String.join(" | ", FILES))
                .append(") COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n");
        VALUES.forEach((option, kind) -> script.append("    ")
                .append(option)
                .append(") __homeport_reply ")
                .append(kind)
                .append(" \"$cur\" \"\"; return ;;\n"));
        script.append("""
                  esac
                  local options="" words=""
                  case "$command" in
                """);
        script.append("    \"\") words=\"")
                .append(String.join(" ", names(root)))
                .append("\" ;;\n");
        for (CommandSpec command : commands) {
            script.append("    \"").append(CommandPages.words(command)).append("\") ");
            if (!command.subcommands().isEmpty()) {
                script.append("words=\"")
                        .append(String.join(" ", names(command)))
                        .append("\" ;;\n");
            } else {
                script.append("options=\"")
                        .append(String.join(" ", options(command)))
                        .append("\" ;;\n");
            }
        }
        script.append("""
                  esac
                  case "$cur" in
                    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")); return ;;
                  esac
                  if [ -n "$words" ]; then
                    COMPREPLY=($(compgen -W "$words" -- "$cur"))
                    return
                  fi
                  case "$command" in
                """);
        script.append("    ").append(alternatives(OF_TYPES)).append(")\n");
        script.append(
                "      case \"$cur\" in */*) __homeport_reply \"${cur%%/*}\" \"${cur#*/}\" \"${cur%%/*}/\"; return ;; esac\n");
        script.append("      if [ -n \"$first\" ]; then __homeport_reply \"$first\" \"$cur\" \"\"\n");
        script.append("      else COMPREPLY=($(compgen -W \"").append(TYPES).append("\" -- \"$cur\")); fi ;;\n");
        script.append("    ")
                .append(alternatives(OF_CLUSTERS))
                .append(") __homeport_reply clusters \"$cur\" \"\" ;;\n");
        script.append("    ")
                .append(alternatives(OF_COMPONENTS))
                .append(") __homeport_reply platform-components \"$cur\" \"\" ;;\n");
        script.append("    completion) COMPREPLY=($(compgen -W \"bash zsh fish names\" -- \"$cur\")) ;;\n");
        script.append("  esac\n}\ncomplete -F __homeport homeport ./homeport\n");
        return script.toString();
    }

    /** Options behind which a value stands that is neither a command nor a type; not those that are flags elsewhere. */
    static List<String> withValue(List<CommandSpec> commands) {
        Set<String> with = new TreeSet<>();
        Set<String> without = new TreeSet<>();
        for (CommandSpec command : commands) {
            for (OptionSpec option : CommandPages.options(command)) {
                (takesValue(option) ? with : without).addAll(List.of(option.names()));
            }
        }
        with.removeAll(without);
        return List.copyOf(with);
    }

    static boolean takesValue(OptionSpec option) {
        return option.arity().min() > 0;
    }

    private static String alternatives(Set<String> names) {
        return String.join(" | ", new TreeSet<>(names));
    }

    static List<String> names(CommandSpec command) {
        return command.subcommands().entrySet().stream()
                .filter(below ->
                        !below.getValue().getCommandSpec().usageMessage().hidden())
                .map(java.util.Map.Entry::getKey)
                .toList();
    }

    private static List<String> options(CommandSpec command) {
        List<String> names = new ArrayList<>();
        for (OptionSpec option : CommandPages.options(command)) {
            names.addAll(List.of(option.names()));
        }
        return names;
    }
}
