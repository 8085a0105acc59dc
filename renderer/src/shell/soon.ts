/** Parts that nearly every user sees right after the first frame. One chunk, so that a single request loads them all. */
export { ApprovalHost } from '../questions/approval-host.tsx';
export { Overview } from '../pages/home/overview.tsx';
export { lateTexts } from '../i18n/late-texts.ts';
export { MoreMenu } from './more-menu.tsx';
export { PreferencesMenu } from './preferences-menu.tsx';
export { UrgentBar } from './urgent-bar.tsx';
export { SessionPage } from './session-page.tsx';
