# Functions shared by the scripts of this project. Source it, do not run it; ROOT must be the project's folder.

MAVEN_VERSION=3.9.16

say() { printf '%s\n' "$*" >&2; }

# What runs before every command takes no other program where the shell can do it: each costs a millisecond or two.

# Whether these are sources, to be built when needed; an installation has the jars alone.
is_source_tree() { [ -f "$ROOT/pom.xml" ]; }

# Whether $1 has Java 25, and a compiler if there is something to build. Reads a file, because starting Java is slow.
is_jdk25() {
  local line
  [ -r "$1/release" ] && [ -x "$1/bin/java" ] || return 1
  [ -x "$1/bin/javac" ] || ! is_source_tree || return 1
  while read -r line; do
    case "$line" in JAVA_VERSION=\"25 | JAVA_VERSION=\"25[!0-9]*) return 0 ;; esac
  done <"$1/release"
  return 1
}

# Sets and exports JAVA_HOME to a JDK 25, or explains how to get one.
find_jdk25() {
  local candidate
  for candidate in "${JAVA_HOME:-}" /usr/lib/jvm/* /opt/* "${HOME:-/root}"/.sdkman/candidates/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if [ -n "$candidate" ] && is_jdk25 "$candidate"; then
      export JAVA_HOME="$candidate"
      return 0
    fi
  done
  say "Homeport needs a JDK 25 and found none. Install one, or point JAVA_HOME at it:"
  say "  Debian, Ubuntu:  apt install temurin-25-jdk   (from the Adoptium package source)"
  say "  SDKMAN:          sdk install java 25-tem"
  exit 2
}

# Sets MVN to a Maven of at least 3.9. An older one is used to fetch a newer one, once.
find_maven() {
  local cache="${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/homeport" version
  MVN="$cache/maven-$MAVEN_VERSION/bin/mvn"
  [ -x "$MVN" ] && return 0
  if ! command -v mvn >/dev/null; then
    say "Homeport needs Maven and found none. Any version will do to start with:"
    say "  Debian, Ubuntu:  apt install maven"
    exit 2
  fi
  version=$(mvn --batch-mode --version | sed -n 's/.*Apache Maven \([0-9.]*\).*/\1/p')
  if [ "$(printf '3.9\n%s\n' "$version" | sort -V | head -n 1)" = 3.9 ]; then
    MVN=mvn
    return 0
  fi
  say "fetching Maven $MAVEN_VERSION, because $version is too old (once)"
  local unpacked
  mkdir -p "$cache"
  unpacked=$(mktemp -d "$cache/unpack.XXXXXX")
  # Outside the project, so that the old Maven does not read the project's settings.
  if ! (cd "$unpacked" && mvn --batch-mode --quiet --strict-checksums dependency:unpack \
    -Dartifact="org.apache.maven:apache-maven:$MAVEN_VERSION:tar.gz:bin" \
    -DoutputDirectory="$unpacked" >&2); then
    rm -rf "$unpacked"
    say "could not fetch Maven $MAVEN_VERSION"
    exit 2
  fi
  mv "$unpacked/apache-maven-$MAVEN_VERSION" "$cache/maven-$MAVEN_VERSION"
  rm -rf "$unpacked"
  chmod +x "$MVN"
}

# Removes every setting of a Homeport server or command line from the environment, so that tests and benchmarks never reach the
# user's database, fleet or address. Knobs of the scripts themselves stay. A test compares the names with the server's.
forget_settings() {
  local name
  for name in "${!HOMEPORT_@}"; do
    case "$name" in HOMEPORT_AOT | HOMEPORT_E2E_BUILD_JOBS) ;; *) unset "$name" ;; esac
  done
  unset API_MODE AUTH_TOKEN CRUD_AUTH_TOKEN DATABASE_URL LISTEN_ADDR SEED_FILE STORE_BACKEND
  export HOMEPORT_KEYRING=off
}

# Runs Maven in the project with JDK 25, whatever the current folder is.
run_maven() {
  MAVEN_OPTS="--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow ${MAVEN_OPTS:-}" \
    "$MVN" --batch-mode --file "$ROOT/pom.xml" "$@"
}

# Builds the modules "$@", if a source or pom is newer than the last build, and keeps what was built in target/builds.
# One line on stderr while it works, the end of Maven's log if it fails.
build_if_needed() {
  local log="$ROOT/target/build.log" modules="$*" module stamp
  is_source_tree || return 0
  modules=${modules// /,}
  stamp="$ROOT/target/built-${modules//,/-}"
  [ -d "$ROOT/target" ] || mkdir -p "$ROOT/target"
  up_to_date "$stamp" "$@" && return 0
  if command -v flock >/dev/null; then
    exec 9>"$ROOT/target/build.lock"
    flock 9
    # Someone else may have built while we waited.
    up_to_date "$stamp" "$@" && exec 9>&- && return 0
  fi
  say "building…"
  find_maven
  # A library that a pom no longer names must not stay on the class path.
  if [ ! -f "$stamp" ] || [ -n "$(find "$ROOT/pom.xml" "$ROOT"/*/pom.xml -newer "$stamp" -print -quit)" ]; then
    for module in "$@"; do rm -rf "${ROOT:?}/$module/target/lib"; done
  fi
  # The time that counts is the start: what is edited during the build is built again next time.
  touch "$stamp.new"
  if ! run_maven --quiet -Dmaven.test.skip=true -Dspotless.skip=true --projects "$modules" --also-make package \
    >"$log" 2>&1; then
    rm -f "$stamp" "$stamp.new"
    tail -n 40 "$log" >&2
    say "the build failed; the whole log is in target/build.log"
    exit 1
  fi
  for module in "$@"; do keep_build "$module"; done
  mv "$stamp.new" "$stamp"
  exec 9>&-
}

# Copies what module $1 was built to into a folder named by its content, which no later build touches: what runs from there goes
# on to find the classes that it has not loaded yet, and a cache for fast starts is as good as before if nothing has changed.
keep_build() {
  local module="$1" from="$ROOT/$1/target" builds="$ROOT/target/builds" now="" before="" name folder running
  name="$module-$(cd "$from" && { echo lib/*.jar && cat "homeport-$module.jar" lib/*.jar; } | digest)"
  if [ ! -d "$builds/$name" ]; then
    mkdir -p "$builds/$name.$$"
    cp -p "$from/homeport-$module.jar" "$builds/$name.$$/"
    cp -pR "$from/lib" "$builds/$name.$$/"
    mv "$builds/$name.$$" "$builds/$name"
  fi
  [ ! -f "$builds/$module" ] || read -r now before <"$builds/$module" || true
  if [ "$name" != "$now" ]; then
    before="$now"
    printf '%s %s\n' "$name" "$before" >"$builds/$module.new"
    mv "$builds/$module.new" "$builds/$module"
  fi
  # The one before stays as well: somebody may be about to start from it.
  running=$(running_commands) || return 0
  for folder in "$builds/$module"-*; do
    case "${folder##*/}" in "$name" | "$before") continue ;; esac
    case "$running" in *"/builds/${folder##*/}/"*) continue ;; esac
    rm -rf "$folder"
  done
}

# The beginning of a checksum of what it reads.
digest() {
  { sha256sum 2>/dev/null || shasum -a 256; } | cut -c 1-16
}

# The command lines of all processes.
running_commands() {
  if [ -r /proc/self/cmdline ]; then
    cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' ' || true
  else
    ps -Aww -o args=
  fi
}

# Sets BUILT to the folder that module $1 runs from, if it is built; in an installation it is where a build would put it.
find_built() {
  local now
  BUILT="$ROOT/$1/target"
  is_source_tree || return 0
  [ -f "$ROOT/target/builds/$1" ] && read -r now _ <"$ROOT/target/builds/$1" || return 1
  BUILT="$ROOT/target/builds/$now"
  [ -d "$BUILT" ]
}

# Whether the modules $2… are built and nothing is newer than the stamp $1. Folders count, so a deleted file is noticed.
up_to_date() {
  local stamp="$1" module
  shift
  [ -f "$stamp" ] || return 1
  for module in "$@"; do
    find_built "$module" || return 1
  done
  [ -z "$(find "$ROOT/pom.xml" "$ROOT"/*/pom.xml "$ROOT"/*/src/main -newer "$stamp" -print -quit)" ]
}

# Sets JAVA_COMMAND to Java with the class path of module $1. JVM_OPTIONS (of the caller) and JAVA_OPTS (of the user, a list
# of words) are its options, so whatever the user says wins.
java_command() {
  find_built "$1"
  # shellcheck disable=SC2206 # JAVA_OPTS is a list of words
  JAVA_COMMAND=("$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED ${JVM_OPTIONS[@]+"${JVM_OPTIONS[@]}"} ${JAVA_OPTS:-}
    -cp "$BUILT/homeport-$1.jar:$BUILT/lib/*")
}

# Sets JVM_OPTIONS to those of module $1.
jvm_options() {
  case "$1" in
    # Young objects die within a poll; a larger room for them makes stops rarer, not longer.
    # Tracking buffers costs time with every poll; tests of connections in every state look for leaks.
    # What is left of a server after its memory ran out may answer, but does not do its work.
    server) JVM_OPTIONS=(-XX:+ExitOnOutOfMemoryError -XX:+UseSerialGC -Xms128m -Xmn64m -XX:MetaspaceSize=96m -XX:+UseCompactObjectHeaders
      -Dio.netty.leakDetection.level=disabled) ;;
    # Method handles for reflection pay when a method is called more often than a command lasts.
    cli) JVM_OPTIONS=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djdk.reflect.useNativeAccessorOnly=true) ;;
  esac
}

# Adds huge pages to JVM_OPTIONS, where programs may ask for them; a JVM that asks in vain says so on its standard output. A
# poll of a large fleet fetches from all over the heap, and would look up the address of a small page each time. An AOT cache
# does not depend on it, and may come from a machine without.
use_huge_pages() {
  local offered=/sys/kernel/mm/transparent_hugepage/enabled
  if [ -r "$offered" ] && [[ $(<"$offered") != *"[never]"* ]]; then
    JVM_OPTIONS+=(-XX:+UseTransparentHugePages)
  fi
}

# Adds a cache of loaded and linked classes for module $1 to JVM_OPTIONS, so that it starts in a fraction of the time. Where
# there is none for these jars, this JDK and these options, it is made first by running function $2 with JAVA_COMMAND set.
# Whatever goes wrong with it, the start goes on without: set HOMEPORT_AOT=off to have it so.
use_aot_cache() {
  local module="$1" train="$2" folder cache made_for=""
  find_built "$module"
  [ "${HOMEPORT_AOT:-on}" = on ] || return 0
  folder="$BUILT/aot" cache="$BUILT/aot/$module.aot"
  local needs="$JAVA_HOME ${JVM_OPTIONS[*]-}"
  [ ! -f "$cache.for" ] || read -r made_for <"$cache.for" || true
  if [ "$made_for" != "$needs" ] || older_than_its_jars "$cache" "$module"; then
    [ -d "$folder" ] || mkdir -p "$folder" 2>/dev/null || return 0
    [ -w "$folder" ] || return 0
    make_aot_cache "$module" "$train" "$cache" "$needs" || return 0
  fi
  # auto: a cache that does not fit is passed over. What the JVM would say about that helps nobody.
  JVM_OPTIONS+=("-XX:AOTCache=$cache" -XX:AOTMode=auto "-Xlog:disable" "-Xlog:all=error:stderr")
}

# Whether file $1 is missing, or older than a jar of module $2, which was found, or than Java.
older_than_its_jars() {
  local jar
  [ -f "$1" ] || return 0
  for jar in "$BUILT/homeport-$2.jar" "$BUILT/lib/"*.jar "$JAVA_HOME/release"; do
    [ "$1" -nt "$jar" ] || return 0
  done
  return 1
}

# Makes the cache $3 for $4, alone: others who start meanwhile do not wait for it, and start without.
make_aot_cache() {
  local module="$1" train="$2" cache="$3" needs="$4" new="$3.$$" folder="${3%/*}"
  if command -v flock >/dev/null; then
    exec 8>"$cache.lock" || return 1
    flock -n 8 || { exec 8>&-; return 1; }
    # What is left of one that was cut short.
    rm -f "$cache".[0-9]*
  fi
  say "preparing fast starts (once)…"
  # Programs in the background do not hear Ctrl-C. $out is the function's that runs.
  trap 'kill -KILL $(jobs -p) 2>/dev/null && wait || true
    rm -rf "$new" "$new.config" "$cache.lock" ${out:+"$out"}
    exit 130' INT TERM HUP
  local jar
  for jar in "$BUILT/lib/"picocli-*.jar; do
    (exec_isolated "$folder" "$JAVA_HOME/bin/java" "$ROOT/build-tools/ModernClasses.java" "$jar") >"$cache.log" 2>&1 || true
  done
  # The user's options may open ports for debugging or monitoring.
  local JAVA_OPTS=""
  local JVM_OPTIONS=(${JVM_OPTIONS[@]+"${JVM_OPTIONS[@]}"} "-XX:AOTCacheOutput=$new" "-Xlog:disable" "-Xlog:all=error:stderr")
  java_command "$module"
  "$train" >>"$cache.log" 2>&1 8>&- || true
  trap - INT TERM HUP
  local made=1
  rm -f "$cache.for"
  if [ -s "$new" ]; then
    mv "$new" "$cache"
    printf '%s\n' "$needs" >"$cache.for"
    made=0
  fi
  rm -f "$cache.lock"
  exec 8>&-
  return $made
}

# Replaces this (sub)shell by Java command $2… in folder $1 with nothing of this process but its output: no variable that could
# be a setting, a token, an option of the JVM, a proxy or a folder of the user's. Its files, also temporary ones, go to $1.
exec_isolated() {
  local folder="$1" java="$2"
  shift 2
  cd "$folder"
  exec env -i PATH=/usr/bin:/bin HOME="$folder" TMPDIR="$folder" LC_ALL=C.UTF-8 \
    "$java" "-Djava.io.tmpdir=$folder" "-Duser.home=$folder" "$@" </dev/null
}

# Runs a throw-away server with a fleet of its own for a moment: it starts, answers on both planes, and stops.
train_server() {
  local out line port server
  out=$(cd "$(mktemp -d)" && pwd)
  cat >"$out/seed.json" <<'SEED'
{"platform_components": [{"id": "rehearsal", "component_path": "apps/rehearsal", "component_version": "1.0.0",
  "oci_url": "oci://registry.example.com/rehearsal", "oci_tag": "1.0.0"}],
 "clusters": [{"id": "rehearsal", "cluster_name": "rehearsal", "cluster_dns": "rehearsal.example.com",
  "environment": "dev", "platform_components": [{"id": "rehearsal", "enabled": true}]}]}
SEED
  exec_isolated "$out" "${JAVA_COMMAND[@]}" dev.homeport.server.Main serve --mode crud --store memory --data "$out/data" \
    --seed-file "$out/seed.json" --auth-token rehearsal --admin-listen 127.0.0.1:0 --poll-listen 127.0.0.1:0 \
    >"$out/log" 2>&1 &
  server=$!
  for _ in $(seq 300); do
    grep -q '^ready' "$out/log" && break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  cat "$out/log"
  for port in $(sed -n 's/^[a-z]* plane:.*:\([0-9]*\)$/\1/p' "$out/log"); do
    for path in /health /ready /api/v2/flux/clusters/rehearsal.example.com/namespaces \
      /api/v2/flux/clusters/rehearsal.example.com/platform-components /openapi.json; do
      exec 7<>"/dev/tcp/127.0.0.1/$port" || continue
      printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer rehearsal\r\nConnection: close\r\n\r\n' "$path" >&7
      IFS= read -r -t 5 line <&7 && printf '%s %s\n' "$path" "${line%$'\r'}"
      while read -r -t 5 line <&7; do :; done
      exec 7>&-
    done
  done
  kill "$server"
  wait "$server" || true
  rm -rf "$out"
}

# Runs the command line against servers that another process plays, over TLS with certificates made for that.
train_cli() {
  local out server
  out=$(cd "$(mktemp -d)" && pwd)
  local certificate=(-storetype PKCS12 -storepass rehearsal -alias rehearsal -dname CN=localhost -ext san=ip:127.0.0.1 -validity 1)
  local keytool=("$JAVA_HOME/bin/java" -m java.base/sun.security.tools.keytool.Main -genkeypair)
  (exec_isolated "$out" "${keytool[@]}" -keystore "$out/ec.p12" "${certificate[@]}" -keyalg EC -groupname secp256r1)
  (exec_isolated "$out" "${keytool[@]}" -keystore "$out/rsa.p12" "${certificate[@]}" -keyalg RSA -keysize 2048)
  exec_isolated "$out" "$JAVA_HOME/bin/java" -cp "$BUILT/homeport-cli.jar:$BUILT/lib/*" dev.homeport.cli.AotTraining serve "$out" &
  server=$!
  for _ in $(seq 300); do
    [ -f "$out/rsa.address" ] && break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  (exec_isolated "$out" "${JAVA_COMMAND[@]}" dev.homeport.cli.AotTraining run "$out")
  kill "$server"
  wait "$server" || true
  rm -rf "$out"
}

# Replaces this process by Java running the main class $2 of module $1 with the other arguments.
exec_java() {
  local module="$1" main="$2"
  shift 2
  java_command "$module"
  exec "${JAVA_COMMAND[@]}" "$main" "$@"
}
