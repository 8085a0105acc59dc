import { createContext } from 'react';

/** True while an approval or PIN is asked on top of everything: other dialogs leave the Escape key to it. */
export const CoveredContext = createContext(false);
