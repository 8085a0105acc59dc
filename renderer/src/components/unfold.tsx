import { Button, Collapse } from '@mantine/core';
import { ChevronDown } from './icons/index.ts';
import { useId, useState, type ReactNode } from 'react';
import classes from './unfold.module.css';

interface UnfoldProps {
  /** The text of the button while the content is hidden. */
  readonly text: string;
  readonly textOpen: string;
  /** The accessible name of the button, if its text does not name the subject. */
  readonly name?: string;
  /** True to align the button's text, instead of its edge, with the lines above. */
  readonly aligned?: boolean;
  readonly children: ReactNode;
}

/** Content shown on demand, below its button. */
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
        {...{ 'aria-label': name }}
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
