import { Text, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import classes from './first-run.module.css';

interface StepCardProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
  /** True if the step appeared by itself, so that a screen reader must announce it. */
  readonly announced?: boolean;
}

/** A step. Its title takes the focus when the step follows another. */
export function StepCard({ title, text, children, announced = true }: StepCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (announced && document.querySelector('[role="dialog"]') === null)
      heading.current?.focus({ preventScroll: true });
  }, [announced]);
  return (
    <section className={classes.card} aria-labelledby="first-run-step">
      <Title order={2} size="h3" id="first-run-step" ref={heading} tabIndex={-1}>
        {title}
      </Title>
      <Text c="dimmed" mt={4} mb="md">
        {text}
      </Text>
      {children}
    </section>
  );
}
