import { Button, Group } from '@mantine/core';
import type { FormEndProps } from '../../components/dialogs/form-end.tsx';
import { Notice } from '../../components/notice.tsx';

/** The end of a form in a card: the last attempt's error, and the submit button. */
export function CardFormEnd({ error, busy, submit }: Pick<FormEndProps, 'error' | 'busy' | 'submit'>) {
  return (
    <>
      {error === null ? null : (
        <Notice kind="error" alert>
          {error}
        </Notice>
      )}
      <Group justify="flex-end">
        <Button type="submit" loading={busy}>
          {submit}
        </Button>
      </Group>
    </>
  );
}
