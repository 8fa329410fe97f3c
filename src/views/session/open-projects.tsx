import { type ReactNode, useCallback, useEffect } from 'react';
import type { OpenProject } from '#models/registration-calls.ts';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { SessionFrame } from './session-frame.tsx';

interface OpenProjectsProps {
  kind: 'simple' | 'self';
  closed: ReactNode;
  children: (projects: readonly OpenProject[]) => ReactNode;
}

/** Asks which projects let strangers register, and goes on with them. */
export function OpenProjects({ kind, closed, children }: OpenProjectsProps) {
  const { t } = useText();
  const { answer, problem, run } = useRequest('openProjects');
  const ask = useCallback(() => run({}), [run]);
  useEffect(ask, [ask]);
  if (answer) return answer[kind].length > 0 ? children(answer[kind]) : closed;
  return (
    <SessionFrame title={t('entry.register.title')}>
      {problem ? <Failure problem={problem} onRetry={ask} /> : <SkeletonLines lines={4} label={t('interface.loading')} />}
    </SessionFrame>
  );
}
