<?php

// The rules that protect people: php tests/rules.php in a project that has the package (no instance is needed).

declare(strict_types=1);

use Sinete\Credentials;
use Sinete\OAuthApplication;
use Sinete\Sinete;
use Sinete\SineteError;
use Sinete\SignOptions;
use Sinete\Token;
use Sinete\Webhook;

require getcwd() . '/vendor/autoload.php';

const KEY = 'a key of the test';
const BODY = '{"status": "SIGNED"}';
const NOW = 1_700_000_000;

/** @return array<string, string> */
function headers(string $body = BODY, string $key = KEY, int $at = NOW): array
{
    $mac = base64_encode(hash_hmac('sha256', "msg_1.{$at}.{$body}", $key, true));
    return ['Webhook-Id' => 'msg_1', 'Webhook-Timestamp' => (string) $at, 'Webhook-Signature' => "v1,{$mac}"];
}

function check(string $rule, bool $holds): void
{
    if (!$holds) {
        fwrite(STDERR, "This rule does not hold: {$rule}.\n");
        exit(1);
    }
}

function fails(string $words, callable $work): bool
{
    try {
        $work();
    } catch (SineteError | InvalidArgumentException $error) {
        return str_contains($error instanceof SineteError ? "{$error->reason} {$error->getMessage()}" : $error->getMessage(), $words);
    }
    return false;
}

$secret = 'whsec_' . base64_encode(KEY);
$verify = static fn (array $headers, string $body = BODY): array => Webhook::verify($headers, $body, $secret, NOW);
$refused = static fn (array $headers, string $body = BODY): bool
    => fails('NOT_GENUINE', static fn () => $verify($headers, $body));

check('a genuine callback is answered', $verify(headers()) === ['status' => 'SIGNED']);
$both = headers();
$both['Webhook-Signature'] = headers(key: 'the earlier key')['Webhook-Signature'] . ' ' . $both['Webhook-Signature'];
check('one of two signatures is enough', $verify($both) === ['status' => 'SIGNED']);
check('a changed body is refused', $refused(headers(), str_replace('SIGNED', 'ERROR!', BODY)));
check('another secret is refused', $refused(headers(key: 'another key')));
check('an old callback is refused', $refused(headers(at: NOW - 301)));
check('an early callback is refused', $refused(headers(at: NOW + 301)));
check('missing headers are refused', $refused([]));
check('an empty signature is refused', $refused([...headers(), 'Webhook-Signature' => '']));

$remote = new Sinete('http://sign.example', Credentials::accessToken('secret-token'));
check('credentials need TLS', fails('Use https', static fn () => $remote->create(new SignOptions())));
$plain = new OAuthApplication('http://sign.example', 'id', 'secret-token', 'https://a.example/');
check('the secret of an application needs TLS', fails('Use https', static fn () => $plain->clientToken()));
check('an address has no credentials', fails('credentials', static fn () => new Sinete('https://id:secret@sign.example')));
foreach ([Credentials::application('id', 'secret-token'), new Token('secret-token', 1, 's', 'secret-token')] as $value) {
    $text = print_r($value, true);
    $isShown = str_contains($text, 'secret-token') || str_contains($text, base64_encode('id:secret-token'));
    check('dumps show no secret', !$isShown);
}
$portal = new OAuthApplication('https://sign.example', 'id', 'secret-token', 'https://a.example/');
$authorization = $portal->begin();
$other = ['code' => 'c', 'state' => 'another'];
check('the answer of another authorization is refused', fails('NOT_GENUINE', static fn () => $portal->finish($authorization, $other)));
parse_str((string) parse_url($authorization->url, PHP_URL_QUERY), $query);
check('the challenge is S256', $query['code_challenge_method'] === 'S256');
check('the address has neither verifier nor secret', !str_contains($authorization->url, $authorization->verifier) && !str_contains($authorization->url, 'secret-token'));
echo "The rules hold.\n";
