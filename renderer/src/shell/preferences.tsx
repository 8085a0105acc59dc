import { useState } from 'react';
import { useSoon } from '../late.tsx';
import { PreferencesButton } from './preferences-button.tsx';

/** Chooses language and colours; both are remembered. */
export function Preferences({ compact }: { readonly compact: boolean }) {
  const [isAsked, setAsked] = useState(false);
  const { parts } = useSoon();
  return parts === null ? (
    <PreferencesButton compact={compact} aria-haspopup="menu" onClick={() => setAsked(true)} />
  ) : (
    <parts.PreferencesMenu compact={compact} isOpened={isAsked} />
  );
}
