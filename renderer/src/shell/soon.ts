/** Parts that nearly every user sees a moment after the first frame, loaded at once as a single file. */
export { ApprovalHost } from '../questions/approval-host.tsx';
export { Overview } from '../pages/home/overview.tsx';
export { lateTexts } from '../i18n/late-texts.ts';
export { MoreMenu } from './more-menu.tsx';
export { PreferencesMenu } from './preferences-menu.tsx';
export { UrgentBar } from './urgent-bar.tsx';
export { SessionPage } from './session-page.tsx';
