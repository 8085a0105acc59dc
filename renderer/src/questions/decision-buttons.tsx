import { Button, Group } from '@mantine/core';
import { useArmed } from '../components/dialogs/use-armed.ts';
import classes from './approval.module.css';

interface DecisionButtonsProps {
  /** The answer that is being sent. */
  readonly busy: 'yes' | 'no' | null;
  readonly later: string;
  readonly no: string;
  readonly yes: string;
  /** True if Yes is not possible, because the answer is incomplete. */
  readonly blocked?: boolean;
  readonly onLater: () => void;
  readonly onNo: () => void;
  readonly onYes: () => void;
}

/** The three answers to a question that appeared by itself. Yes is only accepted after a short time. */
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
