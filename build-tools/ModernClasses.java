import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * Gives the classes of a jar the form of a later Java. The JVM's cache for fast starts takes none that were compiled for Java 5, as
 * picocli's are.
 */
public final class ModernClasses {
    public static void main(String[] args) throws IOException {
        Path jar = Path.of(args[0]);
        Path next = Path.of(args[0] + ".new");
        try (JarFile in = new JarFile(jar.toFile());
                JarOutputStream out = new JarOutputStream(Files.newOutputStream(next))) {
            ClassFile classes = ClassFile.of(
                    ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                    ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.defaultResolver()
                            .orElse(ClassHierarchyResolver.ofResourceParsing(type -> open(in, type)))));
            for (JarEntry entry : Collections.list(in.entries())) {
                byte[] bytes = in.getInputStream(entry).readAllBytes();
                out.putNextEntry(new JarEntry(entry.getName()));
                out.write(entry.getName().endsWith(".class") ? modern(classes, bytes) : bytes);
                out.closeEntry();
            }
        }
        Files.move(next, jar, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private static byte[] modern(ClassFile classes, byte[] bytes) {
        ClassModel model = classes.parse(bytes);
        if (model.majorVersion() >= ClassFile.JAVA_6_VERSION) {
            return bytes;
        }
        return classes.transformClass(
                model,
                ClassTransform.endHandler(builder -> builder.withVersion(ClassFile.JAVA_17_VERSION, 0))
                        .andThen(ClassTransform.transformingMethodBodies((code, element) -> code.with(element))));
    }

    private static InputStream open(JarFile in, ClassDesc type) {
        String descriptor = type.descriptorString();
        JarEntry entry = in.getJarEntry(descriptor.substring(1, descriptor.length() - 1) + ".class");
        try {
            return entry == null ? null : in.getInputStream(entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
