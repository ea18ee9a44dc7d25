package dev.homeport.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The ids from docs/requirements.md that a test shows to hold. On a class it counts for each test in it. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Inherited
@Repeatable(Requirement.All.class)
public @interface Requirement {
    String[] value();

    /** The part of the acceptance that is shown, in a few words, where it is not the whole: such a requirement stays open. */
    String part() default "";

    /** Several of them on one test. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD})
    @Inherited
    @interface All {
        Requirement[] value();
    }
}
