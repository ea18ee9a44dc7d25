package dev.homeport.server.storage;

import dev.homeport.access.MasterKey;
import dev.homeport.change.StoreRefused;
import dev.homeport.store.SqlStore;
import java.time.Instant;
import java.util.List;

/**
 * Makes sure that the servers of a store share its master key. The store knows the fingerprint of the newest key; a key file
 * without that key is another store's, and every token would be refused with it.
 *
 * <p>A new key comes into the file first. The store follows when a writer uses the file, because only then tokens are made
 * with the new key. So a crash between the two leaves a file that still fits.
 */
public final class StoreKey {
    private StoreKey() {}

    /** For a server or command that writes: the store records the file's newest key. */
    public static MasterKey ofWriter(SqlStore store, MasterKeyFile file) {
        MasterKey master = file.read();
        if (store.status().quarantine().isPresent()) {
            require(store, file, master); // nothing is written in quarantine
        } else if (!matches(master, store.recordMasterKey(master.fingerprints()))) {
            throw refused(file);
        }
        return master;
    }

    /** For a new store: creates a key if none exists. Of several servers that do so at once, one wins. */
    public static MasterKey ofNewStore(SqlStore store, MasterKeyFile file, Instant now) {
        boolean made = !file.exists();
        if (made) {
            file.addNew(now);
        }
        try {
            return ofWriter(store, file);
        } catch (StoreRefused e) {
            if (made) {
                file.delete();
            }
            throw e;
        }
    }

    public static MasterKey ofReader(SqlStore store, MasterKeyFile file) {
        MasterKey master = file.read();
        require(store, file, master);
        return master;
    }

    /** Whether a file with these keys can be used with a store or a backup that knows this one. */
    public static boolean matches(MasterKey master, String fingerprint) {
        List<String> known = master.fingerprints();
        return known.contains(fingerprint);
    }

    private static void require(SqlStore store, MasterKeyFile file, MasterKey master) {
        if (!store.masterKey().map(known -> matches(master, known)).orElse(true)) {
            throw refused(file);
        }
    }

    private static StoreRefused refused(MasterKeyFile file) {
        return new StoreRefused("the master key " + file.path() + " is not the key of this store: every token would be"
                + " refused. Copy master.key from a server of this store, or from where it is kept beside the backups."
                + " If it is lost for good, `homeport admin rekey --lost --force` makes the store take the file that is"
                + " here, and every token has to be made again");
    }
}
