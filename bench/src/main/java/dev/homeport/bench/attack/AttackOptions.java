package dev.homeport.bench.attack;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * How a run was asked for.
 *
 * @param seconds of each attack
 * @param nat whether the attacker has the same address as honest clusters
 */
record AttackOptions(int seconds, Set<Attack> attacks, boolean nat) {
    private static final String USAGE = "options: --seconds N --only NAME[,NAME…] --nat; attacks: " + Attack.names();

    static AttackOptions parse(List<String> args) {
        int seconds = 60;
        Set<Attack> attacks = EnumSet.allOf(Attack.class);
        boolean nat = false;
        for (int i = 0; i < args.size(); i++) {
            switch (args.get(i)) {
                case "--nat" -> nat = true;
                case "--seconds" -> seconds = Integer.parseInt(value(args, ++i));
                case "--only" -> {
                    attacks = EnumSet.noneOf(Attack.class);
                    for (String name : value(args, ++i).split(",", -1)) {
                        attacks.add(Attack.named(name)
                                .orElseThrow(
                                        () -> new IllegalArgumentException("unknown attack " + name + "; " + USAGE)));
                    }
                }
                default -> throw new IllegalArgumentException("unknown option " + args.get(i) + "; " + USAGE);
            }
        }
        return new AttackOptions(seconds, attacks, nat);
    }

    private static String value(List<String> args, int place) {
        if (place >= args.size()) {
            throw new IllegalArgumentException(args.getLast() + " needs a value; " + USAGE);
        }
        return args.get(place);
    }
}
