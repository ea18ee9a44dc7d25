/** What floods and half requests do to honest polls. Start reading at {@link dev.homeport.bench.attack.AttackBenchmark}. */
@NullMarked
package dev.homeport.bench.attack;

import org.jspecify.annotations.NullMarked;
