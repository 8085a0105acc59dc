import { vi } from 'vitest';
import { tellStories } from './stories/tell-stories.ts';

vi.mock('electron', async () => import('./fake-electron.ts'));

tellStories('HTTP');
