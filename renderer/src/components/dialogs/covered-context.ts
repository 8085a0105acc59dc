import { createContext } from 'react';

/** True while an approval or PIN dialog is on top: other dialogs leave the Escape key to the top dialog. */
export const CoveredContext = createContext(false);
