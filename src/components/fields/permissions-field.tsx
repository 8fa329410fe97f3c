import { useContext } from 'react';
import { PermissionTree } from '#src/components/permission-tree.tsx';
import type { FieldProps } from './field-props.ts';
import { GrantContext } from './grant-context.ts';

/** The permissions of a role as a tree. */
export default function PermissionsField({ value, onChange, readOnly, label }: FieldProps) {
  const grantable = useContext(GrantContext);
  const codes = Array.isArray(value) ? value.map(String) : [];
  return <PermissionTree value={codes} onChange={onChange} readOnly={readOnly} grantable={grantable} label={label} />;
}
