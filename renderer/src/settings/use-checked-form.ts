import { useState } from 'react';

/** A form and what is wrong with it. */
interface CheckedForm<Form, Problems> {
  readonly form: Form;
  /** The problems to tell at their fields: none before the first attempt to save. */
  readonly problems: Partial<Problems>;
  readonly change: (part: Partial<Form>) => void;
  /** An attempt to save: tells from now on what is wrong, and answers whether nothing is. */
  readonly check: () => boolean;
}

/** Holds what is typed into a form, and finds what the core would refuse before it is asked. */
export function useCheckedForm<Form extends object, Problems extends object>(
  begin: () => Form,
  problemsOf: (form: Form) => Problems,
): CheckedForm<Form, Problems> {
  const [form, setForm] = useState(begin);
  const [tried, setTried] = useState(false);
  const present = problemsOf(form);
  return {
    form,
    problems: tried ? present : {},
    change: (part) => setForm((before) => ({ ...before, ...part })),
    check: () => {
      setTried(true);
      return Object.keys(present).length === 0;
    },
  };
}
