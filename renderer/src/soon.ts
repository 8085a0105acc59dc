/** What nearly every user sees a moment after the first frame, loaded at once as one file. */
export { ApprovalHost } from './approval/approval-host.tsx';
export { Overview } from './home/overview.tsx';
export { lateTexts } from './i18n/late-texts.ts';
export { MoreMenu } from './shell/more-menu.tsx';
export { PreferencesMenu } from './shell/preferences-menu.tsx';
export { SessionPage } from './shell/session-page.tsx';
