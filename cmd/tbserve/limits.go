package main

import (
	"net"
	"sync"
	"time"
)

// connLimits bound the connections that are open; 0 is no bound.
type connLimits struct {
	all       int
	perClient int // of one address
}

// within returns limits that leave room for other files of a process that may
// open so many: a connection that cannot be taken would hang.
func (l connLimits) within(descriptors uint64) connLimits {
	room := max(8, int(min(descriptors-descriptors/4, 1<<20))-32) // a quarter is for tables
	if l.all == 0 || l.all > room {
		l.all = room
	}
	if l.perClient > 0 {
		l.perClient = min(l.perClient, max(1, l.all*3/4))
	}
	return l
}

// limitedListener turns connections away that are beyond a limit, with a word
// to the client: those that are taken are served as if there were no others.
type limitedListener struct {
	net.Listener
	limits connLimits

	mu       sync.Mutex
	all      int
	byClient map[string]int
}

func limitListener(l net.Listener, limits connLimits) *limitedListener {
	return &limitedListener{Listener: l, limits: limits, byClient: map[string]int{}}
}

// refusal is what a connection beyond the limits is answered.
const refusal = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\nRetry-After: 1\r\nConnection: close\r\n\r\n" +
	`{"type":"about:blank","title":"Service Unavailable","status":503,"detail":"too many connections"}` + "\n"

// Accept returns the next connection that is within the limits.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		client := clientOf(c)
		if l.enter(client) {
			return &limitedConn{Conn: c, leave: sync.OnceFunc(func() { l.leave(client) })}, nil
		}
		_ = c.SetDeadline(time.Now().Add(time.Second))
		_, _ = c.Write([]byte(refusal)) // whoever does not wait for it misses nothing
		_ = c.Close()
	}
}

func clientOf(c net.Conn) string {
	host, _, err := net.SplitHostPort(c.RemoteAddr().String())
	if err != nil {
		return c.RemoteAddr().String()
	}
	return host
}

func (l *limitedListener) enter(client string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.limits.all > 0 && l.all >= l.limits.all || l.limits.perClient > 0 && l.byClient[client] >= l.limits.perClient {
		return false
	}
	l.all++
	l.byClient[client]++
	return true
}

func (l *limitedListener) leave(client string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all--
	if l.byClient[client]--; l.byClient[client] == 0 {
		delete(l.byClient, client)
	}
}

// limitedConn gives its place back when it is closed.
type limitedConn struct {
	net.Conn
	leave func()
}

// Close closes the connection.
func (c *limitedConn) Close() error {
	c.leave()
	return c.Conn.Close()
}
