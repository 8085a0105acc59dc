import iconAddress from '../../../assets/icon.svg';

/** The product's logo. The name is next to it, so a screen reader skips the logo. */
export function Logo({ size }: { readonly size: number }) {
  return <img src={iconAddress} width={size} height={size} alt="" />;
}
