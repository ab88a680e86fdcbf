export default function Page() {
  return <p>The tools of this service are at /tools.</p>;
}
