import { Button, Group } from '@mantine/core';
import { useArmed } from '../components/dialogs/use-armed.ts';
import classes from './approval.module.css';

interface DecisionButtonsProps {
  /** Which answer is on its way. */
  readonly busy: 'yes' | 'no' | null;
  readonly later: string;
  readonly no: string;
  readonly yes: string;
  /** Whether the answer lacks something, so that it cannot be yes. */
  readonly blocked?: boolean;
  readonly onLater: () => void;
  readonly onNo: () => void;
  readonly onYes: () => void;
}

/** The three answers to a question that came up by itself. Yes is taken only after a moment. */
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
