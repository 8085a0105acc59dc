import { Button, Group } from '@mantine/core';
import { useArmed } from '../components/dialogs/use-armed.ts';
import classes from './approval.module.css';

interface DecisionButtonsProps {
  /** The running answer. */
  readonly busy: 'yes' | 'no' | null;
  readonly later: string;
  readonly no: string;
  readonly yes: string;
  /** True when the answer is incomplete, so that Yes is not possible. */
  readonly blocked?: boolean;
  readonly onLater: () => void;
  readonly onNo: () => void;
  readonly onYes: () => void;
}

/** The three answers to a question that appeared by itself. Yes is accepted only after a moment. */
export function DecisionButtons(props: DecisionButtonsProps) {
  const { busy, blocked = false } = props;
  const armed = useArmed();
  return (
    <div className={classes.buttons}>
      <Button variant="subtle" color="gray" onClick={props.onLater} disabled={busy !== null}>
        {props.later}
      </Button>
      <Group gap="sm" className={classes.decide}>
        <Button variant="default" loading={busy === 'no'} disabled={busy === 'yes'} onClick={props.onNo}>
          {props.no}
        </Button>
        <Button
          loading={busy === 'yes'}
          disabled={busy === 'no' || blocked}
          aria-disabled={!armed || blocked}
          onClick={() => {
            if (armed) props.onYes();
          }}
        >
          {props.yes}
        </Button>
      </Group>
    </div>
  );
}
