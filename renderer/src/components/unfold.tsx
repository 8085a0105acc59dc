import { Button, Collapse } from '@mantine/core';
import { ChevronDown } from '../icons/icons.ts';
import { useId, useState, type ReactNode } from 'react';
import classes from './unfold.module.css';

interface UnfoldProps {
  /** The text of the button while the rest is folded, and while it is not. */
  readonly text: string;
  readonly textOpen: string;
  /** The accessible name of the button, where its text does not tell of what. */
  readonly name?: string;
  /** Whether the text of the button, not its edge, begins where the lines above do. */
  readonly aligned?: boolean;
  readonly children: ReactNode;
}

/** Something that is shown on demand, below the button that unfolds it. */
export function Unfold({ text, textOpen, name, aligned = false, children }: UnfoldProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <div>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        aria-expanded={open}
        aria-controls={id}
        rightSection={<ChevronDown size={16} aria-hidden className={classes.chevron} data-open={open} />}
        onClick={() => setOpen(!open)}
        {...(name === undefined ? {} : { 'aria-label': name })}
        {...(aligned ? { className: classes.aligned ?? '' } : {})}
      >
        {open ? textOpen : text}
      </Button>
      <Collapse expanded={open} id={id}>
        <div className={classes.content}>{children}</div>
      </Collapse>
    </div>
  );
}
