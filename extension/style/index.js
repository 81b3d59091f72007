import "./base.css";
import "./parts.css";
